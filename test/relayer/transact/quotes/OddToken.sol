// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

/// Keeps a hundredth of what is sent, or moves nothing and says so without failing.
contract OddToken {
    event Transfer(address indexed from, address indexed to, uint256 value);

    string public constant name = "Odd";
    string public constant symbol = "ODD";
    uint8 public constant decimals = 6;
    uint256 public constant totalSupply = 1e18;
    mapping(address => uint256) public balanceOf;
    bool public refuses;

    function mint(address to, uint256 amount) external {
        balanceOf[to] += amount;
        emit Transfer(address(0), to, amount);
    }

    function refuse(bool whether) external {
        refuses = whether;
    }

    function transfer(address to, uint256 amount) external returns (bool) {
        if (refuses) return false;
        uint256 kept = amount / 100;
        balanceOf[msg.sender] -= amount;
        balanceOf[to] += amount - kept;
        emit Transfer(msg.sender, to, amount - kept);
        return true;
    }
}
