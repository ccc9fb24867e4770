// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

/// A wrapped native coin that pays half of each withdrawal once it is switched on, and reports that it paid all.
contract StingyWrapped {
    event Transfer(address indexed from, address indexed to, uint256 value);
    event Deposit(address indexed to, uint256 value);
    event Withdrawal(address indexed from, uint256 value);

    string public constant name = "Stingy";
    string public constant symbol = "WETH";
    uint8 public constant decimals = 18;
    mapping(address => uint256) public balanceOf;
    bool public isStingy;

    function beStingy(bool whether) external {
        isStingy = whether;
    }

    function deposit() external payable {
        balanceOf[msg.sender] += msg.value;
        emit Deposit(msg.sender, msg.value);
    }

    function withdraw(uint256 amount) external {
        balanceOf[msg.sender] -= amount;
        emit Withdrawal(msg.sender, amount);
        (bool paid,) = msg.sender.call{value: isStingy ? amount / 2 : amount}("");
        require(paid);
    }

    function transfer(address to, uint256 amount) external returns (bool) {
        balanceOf[msg.sender] -= amount;
        balanceOf[to] += amount;
        emit Transfer(msg.sender, to, amount);
        return true;
    }
}
